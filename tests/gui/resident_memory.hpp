// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QFile>

namespace ositrace::test {

/// Of this process; 0 where the system does not say it.
inline double resident_megabytes()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    for (const auto& line : status.readAll().split('\n'))
        if (line.startsWith("VmRSS:")) return line.simplified().split(' ').value(1).toDouble() / 1024;
    return 0;
}

}  // namespace ositrace::test
