// SPDX-License-Identifier: MPL-2.0
// Test classes of QtTest: many of them are in one program, because each program costs a link of the whole viewer. ctest
// runs each class in a process of its own.
#pragma once

#include <concepts>
#include <vector>

#include <QApplication>
#include <QTest>

#include "tests/places.hpp"

namespace ositrace::test {

/// How long a test waits for what it expects, on a machine that does more.
constexpr int patience_ms = 120'000;

struct TestClass {
    const char* name;
    /// Constructs the application and the test; the words are those of a QtTest program.
    int (*run)(int argc, char** argv, const char* name);
};

/// Those of this program.
inline std::vector<TestClass>& test_classes()
{
    static std::vector<TestClass> classes;
    return classes;
}

/// For a test without QCoreApplication.
struct NoApplication {
    NoApplication(int, char**) {}
};

template <class Test, class Application>
int run_test_class(int argc, char** argv, const char* name)
{
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QCoreApplication::setApplicationName(QString::fromLatin1(name));  // settings of its own
    Application application(argc, argv);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

/// For QProcess: the path of a program of this build.
inline QString program_path(std::string_view name)
{
    return QString::fromStdString(ositrace::test::program(name).string());
}

}  // namespace ositrace::test

/// After the definition of a test class, once: ctest runs it by the name of the class.
#define OSIVIEW_TEST(Class, Application)                                         \
    [[maybe_unused]] static const bool Class##_is_known = [] {                   \
        using namespace ::ositrace::test;                                        \
        test_classes().push_back({#Class, &run_test_class<Class, Application>}); \
        return true;                                                             \
    }();
