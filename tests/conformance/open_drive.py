#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Maps as we read them beside pyxodr: roads of every geometry and crossings that scenariogeneration writes.

usage: open_drive.py OSICONVERT PACKAGES
Exit code 77: the packages are not there.
"""
import json
import math
import subprocess
import sys
import tempfile
import types
import xml.etree.ElementTree as ET
from pathlib import Path

TOLERANCE = 0.05  # metres: what OSI allows
COARSE = 0.02  # of pyxodr, which has a point every 10 cm and finds directions from two of them


def without_pictures():
    """pyxodr imports what it would draw with."""
    class Anything(types.ModuleType):
        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            return type(name, (), {})

    for name in ("matplotlib", "matplotlib.pyplot", "matplotlib.patches", "matplotlib.text", "rich", "rich.progress"):
        module = sys.modules[name] = Anything(name)
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, module)
    sys.modules["rich.progress"].track = lambda each, **_: each
    sys.modules["rich"].print = print


def read(osiconvert, path):
    """The map as a GroundTruth in JSON."""
    run = subprocess.run([osiconvert, "cat", str(path)], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"{path}: {run.stderr}")
    return json.loads(run.stdout)


def point(position):
    return tuple(position.get(axis, 0.0) for axis in "xyz")


def distance(p, line):
    """In the plane, of a place to a polyline."""
    least = math.inf
    for a, b in zip(line, line[1:]):
        dx, dy = b[0] - a[0], b[1] - a[1]
        square = dx * dx + dy * dy
        part = 0 if square == 0 else min(1, max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square))
        least = min(least, math.hypot(p[0] - a[0] - part * dx, p[1] - a[1] - part * dy))
    return least


class Map:
    """Our lanes by road, section and lane of OpenDRIVE."""

    def __init__(self, message):
        self.message = message
        self.logical = {self.source(lane): lane for lane in message["logical_lane"]}
        self.boundaries = {each["id"]["value"]: each for each in message["logical_lane_boundary"]}
        self.lanes = {each["id"]["value"]: each for each in message["lane"]}

    @staticmethod
    def source(element):
        road, s, lane = element["source_reference"][0]["identifier"]
        return road, float(s), int(lane)

    def outer_line(self, key):
        """The border of a lane that is further from the centre."""
        side = "left_boundary_id" if key[2] > 0 else "right_boundary_id"
        points = []
        for identifier in self.logical[key][side]:
            points += [point(each["position"]) for each in self.boundaries[identifier["value"]]["boundary_line"]]
        return points


def check_lines(ours, path, name, RoadNetwork):
    """Every lane border of pyxodr is on ours, and ours on pyxodr's."""
    worst, lanes = 0, 0
    theirs_path = path.with_suffix(".pyxodr")
    document = ET.parse(path)
    for spiral in list(document.iter("spiral")):
        curvature = float(spiral.get("curvStart"))
        if abs(curvature - float(spiral.get("curvEnd"))) < 1e-9:  # pyxodr divides by the difference
            spiral.tag, spiral.attrib = ("arc", {"curvature": str(curvature)}) if abs(curvature) > 1e-9 else ("line", {})
    document.write(theirs_path)
    for road in RoadNetwork(str(theirs_path), resolution=0.1).get_roads():
        sections = road.road_xml.findall("lanes/laneSection")
        for section, xml in zip(road.lane_sections, sections):
            for lane in section.lanes:
                key = (road.id, float(xml.get("s")), lane.id)
                line = ours.outer_line(key)
                theirs = [tuple(map(float, each[:2])) for each in lane.boundary_line]
                # A section of pyxodr ends up to a step before the next one begins, and its last direction is a guess.
                inner = theirs[2:-2:7]
                far = max(distance(each, line) for each in inner)
                worst, lanes = max(worst, far), lanes + 1
                if far > TOLERANCE + COARSE:
                    raise SystemExit(f"{name}: lane {key} of pyxodr is {far:.3f} m from ours")
                for each in line[1:-1]:
                    if distance(each, theirs) > TOLERANCE + COARSE:
                        raise SystemExit(f"{name}: {each} of lane {key} is {distance(each, theirs):.3f} m from pyxodr's")
    print(f"{name}: {lanes} lanes, at most {worst * 1000:.0f} mm apart")
    return lanes


def expected_pairings(path):
    """The pairings of each junction, by road and lane: (from, to), from the document alone."""
    root = ET.parse(path).getroot()
    roads = {road.get("id"): road for road in root.findall("road")}
    pairs = {}
    for junction in root.findall("junction"):
        of = pairs.setdefault(junction.get("id"), set())
        for connecting in (road for road in roads.values() if road.get("junction") == junction.get("id")):
            ends = {end: connecting.find(f"link/{end}").get("elementId") for end in ("predecessor", "successor")}
            for lane in connecting.iter("lane"):
                number = int(lane.get("id"))
                links = {end: lane.find(f"link/{end}") for end in ends}
                if number == 0 or None in links.values():
                    continue
                at = [(ends[end], int(links[end].get("id"))) for end in ("predecessor", "successor")]
                of.add(tuple(at if number < 0 else reversed(at)))
    return pairs


def check_junctions(ours, path, name):
    """One intersection lane with the pairings of the document, and no boundaries but free ones."""
    names = {}
    for lane in ours.message["lane"]:
        if lane["classification"]["type"] != "TYPE_INTERSECTION":
            road, _, number = Map.source(lane)
            names[lane["id"]["value"]] = (road, number)
    intersections = [lane for lane in ours.message["lane"] if lane["classification"]["type"] == "TYPE_INTERSECTION"]
    expected = expected_pairings(path)
    found = []
    for lane in intersections:
        of = lane["classification"]
        found.append({(names[pair["antecessor_lane_id"]["value"]], names[pair["successor_lane_id"]["value"]])
                      for pair in of["lane_pairing"]})
        if not of.get("free_lane_boundary_id") or of.get("left_lane_boundary_id") or of.get("centerline"):
            raise SystemExit(f"{name}: an intersection has free boundaries only")
    if sorted(map(sorted, found)) != sorted(map(sorted, expected.values())):
        raise SystemExit(f"{name}: pairings {found}\nexpected {list(expected.values())}")
    print(f"{name}: {len(intersections)} intersections, {sum(map(len, found))} pairings")


def check_outlines(ours, name, geometry, ops):
    """The free boundaries of an intersection are on the outline of its logical lanes, and all of it but the mouths."""
    physical = {each["id"]["value"]: each for each in ours.message["lane_boundary"]}

    def line(boundary):
        return [point(each["position"])[:2] for each in boundary["boundary_line"]]

    for lane in ours.message["lane"]:
        if lane["classification"]["type"] != "TYPE_INTERSECTION":
            continue
        parts, mouths = [], []
        for logical in ours.message["logical_lane"]:
            if logical["physical_lane_reference"][0]["physical_lane_id"]["value"] != lane["id"]["value"]:
                continue
            left, right = ([each for boundary in logical[side] for each in line(ours.boundaries[boundary["value"]])]
                           for side in ("left_boundary_id", "right_boundary_id"))
            mouths += [geometry.LineString([left[end], right[end]]) for end in (0, -1)]
            parts += [geometry.MultiPoint([left[i], right[i], left[i + 1], right[i + 1]]).convex_hull.buffer(1e-3)
                      for i in range(len(left) - 1)]
        outline = ops.unary_union(parts).boundary
        free = ops.unary_union([geometry.LineString(line(physical[each["value"]]))
                                for each in lane["classification"]["free_lane_boundary_id"]])
        worst = free.hausdorff_distance(free.intersection(outline.buffer(TOLERANCE)))
        if worst > 1e-6:
            raise SystemExit(f"{name}: a free boundary is not on the outline")
        missing = outline.difference(free.buffer(TOLERANCE)).difference(ops.unary_union(mouths).buffer(TOLERANCE))
        if missing.length > TOLERANCE:
            raise SystemExit(f"{name}: {missing.length:.2f} m of the outline have no free boundary")
        print(f"{name}: {free.length:.1f} m of outline")


def check_lane_links(ours, path, name):
    """Predecessors and successors within roads and from road to road are those of the document."""
    root = ET.parse(path).getroot()
    logical_names = {lane["id"]["value"]: Map.source(lane) for lane in ours.message["logical_lane"]}
    links = 0
    for road in root.findall("road"):
        sections = road.findall("lanes/laneSection")
        for before, after in zip(sections, sections[1:]):
            for lane in before.iter("lane"):
                link = lane.find("link/successor")
                if link is None or lane.get("id") == "0":
                    continue
                key = (road.get("id"), float(before.get("s")), int(lane.get("id")))
                wanted = (road.get("id"), float(after.get("s")), int(link.get("id")))
                others = [logical_names[each["other_lane_id"]["value"]] for each in ours.logical[key].get("successor_lane", [])]
                if wanted not in others:
                    raise SystemExit(f"{name}: {key} leads to {others}, expected {wanted}")
                links += 1
    print(f"{name}: {links} links between sections")


def straight_roads(xodr, folder):
    """A road of each geometry, with lanes that open and close, an offset and an elevation."""
    geometries = {
        "line": lambda: [xodr.Line(120)],
        "arc": lambda: [xodr.Arc(0.02, length=90)],
        "spiral": lambda: [xodr.Spiral(0.001, 0.03, length=80)],
        "param": lambda: [xodr.ParamPoly3(0, 100, 0, 0, 0, 0, 30, -20, prange="normalized", length=None)],
        "mixed": lambda: [xodr.Line(30), xodr.Spiral(0, 0.02, length=40), xodr.Arc(0.02, length=50),
                          xodr.Spiral(0.02, -0.01, length=60), xodr.Line(20)],
    }
    for name, make in geometries.items():
        plan = xodr.PlanView()
        for geometry in make():
            plan.add_geometry(geometry)
        lanes = xodr.Lanes()
        first = xodr.LaneSection(0, xodr.standard_lane())
        second = xodr.LaneSection(45, xodr.standard_lane())
        for section in (first, second):
            section.add_left_lane(xodr.Lane(a=3.25))
            section.add_right_lane(xodr.Lane(a=3.5))
        first.add_right_lane(xodr.Lane(a=0, c=3 * 3 / 45**2, d=-2 * 3 / 45**3))  # it opens from 0 to 3 m
        second.add_right_lane(xodr.Lane(a=3))
        linker = xodr.LaneLinker()
        linker.add_link(predlane=first.leftlanes[0], succlane=second.leftlanes[0])
        for i in range(2):
            linker.add_link(predlane=first.rightlanes[i], succlane=second.rightlanes[i])
        lanes.add_lanesection(first, linker)
        lanes.add_lanesection(second)
        lanes.add_laneoffset(xodr.LaneOffset(0, 0.5, 0.01, 0, 0))
        road = xodr.Road(1, plan, lanes)
        road.add_elevation(0, 2, 0.02, 0, 0)
        document = xodr.OpenDrive(name)
        document.add_road(road)
        document.adjust_roads_and_lanes()
        path = folder / f"{name}.xodr"
        document.write_xml(str(path))
        yield name, path


def cubic_road(folder):
    """scenariogeneration writes no poly3, which 1.4 had."""
    path = folder / "poly3.xodr"
    path.write_text("""<OpenDRIVE><header revMajor="1" revMinor="4"/><road id="1" length="80" junction="-1"><planView>
<geometry s="0" x="3" y="4" hdg="0.3" length="80"><poly3 a="0" b="0" c="0.01" d="-0.0001"/></geometry></planView><lanes>
<laneSection s="0"><left><lane id="1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></left>
<center><lane id="0" type="none"/></center><right><lane id="-1" type="driving"><width sOffset="0" a="3" b="0.01" c="0"
d="0"/></lane></right></laneSection></lanes></road></OpenDRIVE>""", encoding="utf-8")
    return "poly3", path


def crossing(xodr, folder, arms, lanes):
    """A crossing of roads that come from all sides, with lanes in both directions."""
    roads = []
    for i in range(arms):
        roads.append(xodr.create_road(xodr.Line(60), i, left_lanes=lanes, right_lanes=lanes))
    creator = xodr.CommonJunctionCreator(id=100, name="crossing")
    for i, road in enumerate(roads):
        creator.add_incoming_road_circular_geometry(road, 25, i * 2 * math.pi / arms, "successor")
    for i in range(arms):
        for k in range(i + 1, arms):
            creator.add_connection(i, k)
    document = xodr.OpenDrive("crossing")
    for road in roads:
        document.add_road(road)
    document.add_junction_creator(creator)
    document.adjust_roads_and_lanes()
    path = folder / f"crossing_{arms}_{lanes}.xodr"
    document.write_xml(str(path))
    return path.stem, path


def main():
    osiconvert, packages = sys.argv[1:]
    if not Path(packages).is_dir():
        print(f"skipped: {packages} is missing (configure the build with network access)")
        sys.exit(77)
    sys.path.insert(0, packages)
    without_pictures()
    try:
        import pyxodr.road_objects.network
        import shapely.geometry
        import shapely.ops
        from scenariogeneration import xodr
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        maps = [*straight_roads(xodr, folder), cubic_road(folder), crossing(xodr, folder, 4, 1),
                crossing(xodr, folder, 3, 2)]
        for name, path in maps:
            ours = Map(read(osiconvert, path))
            if check_lines(ours, path, name, pyxodr.road_objects.network.RoadNetwork) == 0:
                raise SystemExit(f"{name}: pyxodr reads no lanes")
            check_lane_links(ours, path, name)
            check_junctions(ours, path, name)
            check_outlines(ours, name, shapely.geometry, shapely.ops)


if __name__ == "__main__":
    main()
