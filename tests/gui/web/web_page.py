#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""The web page of a trace, in Chromium: what it shows is what osiview and osiconvert show.

usage: web_page.py BIN SHARED      BIN has osiview and osiconvert; SHARED may be absent
"""

import csv
import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import chromium

BIN, SHARED = Path(sys.argv[1]), Path(sys.argv[2])
SKIPPED = 77
failures = []


def expect(is_true, text):
    if not is_true:
        failures.append(text)
        print(f"FAILED: {text}", flush=True)


def run(program, *words):
    done = subprocess.run([BIN / program, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{program} {words}: {done.stderr}")
    return done.stdout


def page_of(trace, folder, *options):
    page = folder / f"{trace.name}.html"
    run("osiview", trace, "--web", page, *options)
    return page


def centres(page):
    """Places on the stage of the road users that it shows, by id."""
    return page.evaluate(
        """Object.fromEntries(viewer.shown.map(({track, i}) => [track.id, viewer.view().project(track.place(i))])
                                   .filter(([, at]) => at))"""
    )


def area_of(page, element):
    return page.evaluate(f"document.getElementById('{element}').getBoundingClientRect().toJSON()")


def stage(page):
    return area_of(page, "stage")


def test_values_are_those_of_cat(browser, trace, folder):
    page = browser.page(page_of(trace, folder))
    frame = 100
    base = "moving_object[*].base"
    paths = ["@time", "moving_object[*].id.value", f"{base}.position.x", f"{base}.velocity.x", f"{base}.velocity.y"]
    options = ["--frames", f"{frame}:{frame + 1}", "--format", "csv", "--fields", ",".join(paths)]
    rows = list(csv.DictReader(io.StringIO(run("osiconvert", "cat", trace, *options))))
    page.evaluate(f"viewer.player.seek(viewer.page.times[{frame}])")
    page.drawn()
    page.key("b")
    page.key("r")
    page.drawn()
    area = stage(page)
    expect(len(rows) > 3, f"cat has the objects of frame {frame}: {rows}")
    for row in rows:
        number = row[paths[1]]
        time, x, *velocity = (float(row[path]) for path in (paths[0], *paths[2:]))
        speed = (velocity[0] ** 2 + velocity[1] ** 2) ** 0.5
        at = centres(page)[number]
        page.click(area["x"] + at[0], area["y"] + at[1])
        page.drawn()
        values = page.evaluate("Object.fromEntries([...document.querySelectorAll('#values dt')].map(dt => [dt.textContent, dt.nextElementSibling.textContent]))")
        expect(values["id"] == number, f"a click on {number} selects it: {values}")
        expect(abs(float(values["position"].split(",")[0]) - x) <= 0.0101, f"x of {number}: {values['position']}, {x}")
        expect(abs(float(values["speed"].split()[0]) - speed) <= 0.02, f"speed of {number}: {values['speed']}, {speed}")
        shown = float(page.evaluate("document.getElementById('time').textContent").split()[0])
        start = page.evaluate("Number(viewer.page.start) / 1e9")
        expect(abs(shown + start - time) < 1e-3, f"time: {shown}, {time}")
    expect(page.problems() == [], f"{trace.name}: {page.problems()}")
    page.close()


def test_keys_and_buttons(browser, file):
    page = browser.page(file)
    expect(not page.evaluate("document.getElementById('start').hidden"), "a button in the middle plays")
    page.key("j")
    page.key("ArrowRight")
    page.drawn()
    expect(page.evaluate("document.getElementById('number').textContent").startswith("frame 2 of"), "Right steps")
    expect(not page.evaluate("document.getElementById('details').hidden"), "J selects")
    page.key("Escape")
    expect(page.evaluate("document.getElementById('details').hidden"), "Esc clears the selection")
    page.key("b")
    expect(page.evaluate("viewer.camera.view") == "bird", "b is the bird's eye view")
    page.key("3")
    page.key("End")
    page.drawn()
    expect(page.evaluate("viewer.shownFrame === viewer.page.times.length - 1"), "End is the last frame")
    page.key("Home")
    page.key(" ")
    page.wait("viewer.player.time > 0.2")
    page.key(" ")
    expect(page.evaluate("document.getElementById('start').hidden"), "the button in the middle is there until it plays")
    expect(not page.evaluate("viewer.player.isPlaying"), "Space pauses")
    area = area_of(page, "timeline")
    page.click(area["x"] + area["width"] / 2, area["y"] + 10)
    expect(abs(page.evaluate("viewer.player.time / viewer.player.end") - 0.5) < 0.01, "a click on the timeline goes there")
    buttons = page.evaluate("""(() => { document.activeElement.blur(); return document.querySelectorAll("nav button").length; })()""")
    for _ in range(buttons + 1):
        page.key("Tab")
    expect(page.evaluate("document.activeElement.tagName") != "BODY", "Tab reaches buttons")
    expect(page.problems() == [], f"keys: {page.problems()}")
    page.close()


def test_events_are_those_of_events(browser, trace, folder):
    """Also by the keyboard, and by a click on the timeline."""
    page = browser.page(page_of(trace, folder, "--overwrite"))
    rows = list(csv.DictReader(io.StringIO(run("osiconvert", "events", trace))))
    start = page.evaluate("Number(viewer.page.start)") / 1e9
    listed = page.evaluate("viewer.page.events")
    expect(len(rows) >= 4 and len(listed) == len(rows), f"{trace.name}: {len(listed)} events, events has {len(rows)}")
    ours = sorted((event["kind"], event["object"], round(event["from"], 6), round(event["to"], 6)) for event in listed)
    doer = lambda row: row["other" if row["kind"] in ("cut_in", "cut_out") else "object"]
    theirs = sorted((row["kind"].replace("_", " "), doer(row), round(float(row["begin"]) - start, 6),
                     round(float(row["end"]) - start, 6)) for row in rows)
    expect(ours == theirs, f"{trace.name}: events {ours[:3]} ... are those of osiconvert: {theirs[:3]} ...")
    texts = page.evaluate("[...document.querySelectorAll('.event')].map(row => row.innerText.replace(/\\s+/g, ' '))")
    expect(len(texts) == len(rows) and all(str(event["kind"]) in text for event, text in zip(listed, texts)), f"rows: {texts[:3]}")

    last = len(listed) - 1
    page.evaluate(f"document.querySelectorAll('.event')[{last}].focus()")
    page.send("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", text="\r", windowsVirtualKeyCode=13)
    page.send("Input.dispatchKeyEvent", type="keyUp", key="Enter", code="Enter", windowsVirtualKeyCode=13)
    page.drawn()
    expect(abs(page.evaluate("viewer.player.time") - listed[last]["from"]) < 1e-6, "Enter goes to an event")
    expect(page.evaluate("viewer.selected && viewer.selected.id") == listed[last]["object"], "and selects its object")

    area, end = area_of(page, "timeline"), page.evaluate("viewer.player.end")
    event = max(listed, key=lambda each: each["to"] - each["from"])
    x = area["x"] + (event["from"] + event["to"]) / 2 / end * area["width"]
    page.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=area["y"] + 8)
    hint = page.evaluate("document.getElementById('hint').hidden ? '' : document.getElementById('hint').textContent")
    expect(event["kind"] in hint and event["text"] in hint and event["object"] in event["text"], f"what is under the pointer is said: {hint!r}, {event}")
    page.click(x, area["y"] + 8)
    page.drawn()
    time = page.evaluate("viewer.player.time")
    begins = [each["from"] for each in listed if each["from"] - 0.1 <= (event["from"] + event["to"]) / 2 <= each["to"] + 0.1]
    expect(any(abs(time - begin) < 1e-6 for begin in begins), f"a click on the timeline goes to the event: {time}, {begins}")
    expect(page.evaluate("[...document.querySelectorAll('.event.now')].length") >= 1, "what happens now is marked")
    expect(page.problems() == [], f"events: {page.problems()}")
    page.close()


def test_findings_of_a_report(browser, trace, folder):
    """Their texts are no markup."""
    report = folder / "findings.xqar"
    report.write_text('''<?xml version="1.0"?><CheckerResults version="1.0.0"><CheckerBundle name="b" version="1" summary="">
<Checker checkerId="c" description="" summary="" status="completed">
<Issue issueId="0" description="&lt;img src=x onerror=alert(1)&gt; is wrong" level="1" ruleUID="a.b:c:1.0:rule">
<Locations description="here"><MessageLocation channel="" index="20" time="2.0" field=""/></Locations></Issue>
</Checker></CheckerBundle></CheckerResults>''')
    page = browser.page(page_of(trace, folder, report, "--overwrite"))
    found = page.evaluate("viewer.page.events.filter(event => event.kind === 'error')")
    expect(len(found) == 1 and "<img src=x" in found[0]["text"], f"the finding is on the page: {found}")
    expect(page.evaluate("document.querySelectorAll('img').length") == 0, "a finding is not an element")
    expect(page.problems() == [], f"findings: {page.problems()}")
    page.close()


def pixels(picture, width, height):
    raw = subprocess.run(["convert", picture, "-colorspace", "sRGB", "-depth", "8", "rgb:-"], capture_output=True, check=True)
    assert len(raw.stdout) == 3 * width * height, (len(raw.stdout), width, height)
    return raw.stdout


def shift_between(one, other, width, centre, reach=14, most=4):
    """By how much the second picture is moved, near a place: the shift with the least difference."""
    def differences(dx, dy):
        total = 0
        for y in range(centre[1] - reach, centre[1] + reach):
            a = 3 * (y * width + centre[0] - reach)
            b = 3 * ((y + dy) * width + centre[0] - reach + dx)
            total += sum(abs(p - q) for p, q in zip(one[a : a + 6 * reach], other[b : b + 6 * reach]))
        return total

    shifts = [(dx, dy) for dx in range(-most, most + 1) for dy in range(-most, most + 1)]
    return min(shifts, key=lambda shift: (differences(*shift), abs(shift[0]) + abs(shift[1])))


def test_places_are_those_of_osiview(browser, trace, folder):
    """From above, with the same camera: each road user is within 2 pixels."""
    layout = folder / "camera.osiview.json"
    page = browser.page(page_of(trace, folder, "--theme", "dark", "--overwrite"))
    area = stage(page)
    width, height = round(area["width"]), round(area["height"])
    layout.write_text('{"format": "osiview layout", "version": 1, "labels": false, "legend": false, "hidden": [5, 6, 7, 18], "trail": 0,'
                      ' "camera": {"view": "bird", "distance": 60, "yaw": 0, "pitch": 0.5}}')
    page.evaluate("viewer.options.labels = viewer.options.trails = false; viewer.setView('bird'); viewer.setTheme('dark');"
                  "document.getElementById('legend').hidden = true; 0")
    for time in (1.0, 2.5):
        page.evaluate(f"viewer.player.seek({time}); viewer.draw(); viewer.isPlaced = false; viewer.follow(null); Object.assign(viewer.camera,"
                      " {distance: 60, yaw: 0, target: viewer.host().place(viewer.host().at(viewer.shownFrame))}); viewer.needsDrawing = true; 0")
        page.drawn()
        ours, theirs = folder / "page.png", folder / "osiview.png"
        page.picture(ours, {key: area[key] for key in ("x", "y", "width", "height")})
        run("osiview", trace, "--screenshot", theirs, "--size", f"{width}x{height}", "--time", time, "--layout", layout, "--view", "bird",
            "--theme", "dark", "--overwrite")
        one, other = pixels(ours, width, height), pixels(theirs, width, height)
        seen = 0
        for number, at in centres(page).items():
            place = [round(at[0]), round(at[1])]
            if not (30 < place[0] < width - 30 and 30 < place[1] < height - 30):
                continue  # near the edge
            seen += 1
            shift = shift_between(one, other, width, place)
            expect(max(map(abs, shift)) <= 2, f"{trace.name} at {time}: object {number} is moved by {shift} pixels")
        expect(seen > 0, f"{trace.name} at {time}: a road user is in view")
    page.close()


def test_layouts(browser, file):
    for width, height in ((320, 640), (1000, 700), (3840, 2160)):
        for dark in (True, False):
            page = browser.page(file, width, height, dark)
            wide = page.evaluate("document.documentElement.scrollWidth")
            expect(wide <= width, f"at {width} pixels the page is {wide} wide")
            expect(page.evaluate("document.documentElement.dataset.theme") == ("dark" if dark else "light"), "the theme is the browser's")
            expect(stage(page)["height"] >= 200, f"at {width} pixels the scene has {stage(page)}")
            expect(page.problems() == [], f"{width}: {page.problems()}")
            page.close()


def test_names_are_no_markup(browser, trace, folder):
    hostile = folder / "a<img src=x onerror=alert(1)>&b.osi"
    shutil.copy(trace, hostile)
    page = browser.page(page_of(hostile, folder, "--type", "gt"))
    expect(page.evaluate("document.querySelectorAll('img').length") == 0, "a name is not an element")
    expect(page.evaluate("document.getElementById('title').textContent") == hostile.name, "the title is the name")
    expect(page.problems() == [], f"hostile names: {page.problems()}")
    page.close()


def test_without_webgl(file):
    with chromium.Browser("--disable-3d-apis") as browser:
        page = browser.page(file)
        expect(page.evaluate("viewer.camera.view") == "bird", "without WebGL the bird's eye view is shown")
        expect("no WebGL" in page.evaluate("document.getElementById('notice').textContent"), "the page says so")
        page.key("ArrowRight")
        page.drawn()
        expect(page.problems() == [], f"without WebGL: {page.problems()}")


def main():
    if chromium.program() is None or shutil.which("convert") is None:
        print("skipped: Chromium (Debian package: chromium) or ImageMagick is missing")
        return SKIPPED
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        sample = folder / "sample.osi"
        run("osiconvert", "generate", sample, "--frames", "110", "--objects", "12", "--reflections", "300")
        truth = folder / "truth_gt_.osi"
        run("osiconvert", "generate", truth, "--type", "gt", "--frames", "110", "--objects", "12")
        with chromium.Browser() as browser:
            test_values_are_those_of_cat(browser, truth, folder)
            file = page_of(sample, folder, "--points", "200", "--overwrite")
            test_keys_and_buttons(browser, file)
            test_layouts(browser, file)
            test_events_are_those_of_events(browser, truth, folder)
            test_findings_of_a_report(browser, truth, folder)
            test_places_are_those_of_osiview(browser, sample, folder)
            test_names_are_no_markup(browser, truth, folder)
            for trace in sorted([*SHARED.glob("traces/*.osi"), *SHARED.glob("traces/*.mcap")]):
                page = browser.page(page_of(trace, folder, "--overwrite"))
                page.evaluate("viewer.player.seek(viewer.player.end / 2)")
                page.drawn()
                expect(page.problems() == [], f"{trace.name}: {page.problems()}")
                page.close()
        test_without_webgl(file)
    print(f"{len(failures)} failed" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
