# SPDX-License-Identifier: MPL-2.0
"""FMPy accepts the model descriptions, the annotations are those that OSMP requires, and a wrong token is refused."""
from oracle import *

from fmpy.validation import validate_fmu
from lxml import etree
import zipfile

OSMP = "{http://xsd.pmsf.net/OSISensorModelPackaging}osmp-binary-variable"

files = sorted(FMUS.glob("*.fmu"))
check(files, f"there are FMUs in {FMUS}")
for file in files:
    equal(validate_fmu(str(file)), [], f"{file} is valid")
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        root = etree.fromstring(archive.read("modelDescription.xml"))
    check({"documentation/index.html", "documentation/licenses/license.txt"} <= set(names),
          f"{file} has its documents: {names}")
    equal(root.get("fmiVersion"), f"{VERSION}.0", "the version")

    roles = {}
    for annotation in root.iter(OSMP):
        check(annotation.get("mime-type").startswith("application/x-open-simulation-interface; type="),
              annotation.get("mime-type"))
        equal("encoding=flatbuffers" in annotation.get("mime-type"), file.stem.endswith("FlatBuffers"),
              "the encoding is in the MIME type")
        kind = annotation.get("mime-type").split("type=")[1].split(";")[0]
        carries = "SensorViewInConfig" if kind == "SensorViewConfiguration" else kind  # the name in OSMP
        check(annotation.get("name").startswith(f"OSMP{carries}"), f"{annotation.get('name')} carries {kind}")
        roles.setdefault(annotation.get("name"), []).append(annotation.get("role"))
        variable = next(a for a in annotation.iterancestors() if a.tag in ("ScalarVariable", "Binary"))
        role = annotation.get("role")
        equal(variable.get("name"), annotation.get("name") if role == "full" else f"{annotation.get('name')}.{role}",
              "the annotated variable")
        if VERSION == 3:
            equal(variable.get("mimeType"), annotation.get("mime-type"), "FMI's MIME type is OSMP's")
    check(roles, f"{file} has messages")
    for name, found in roles.items():
        equal(found, ["base.lo", "base.hi", "size"] if VERSION == 2 else ["full"], f"the roles of {name}")

    name = file.stem
    if name.startswith("DummySensor"):
        start = {"OSMPSensorViewInConfigRequest": ("calculatedParameter", "calculated"),
                 "OSMPSensorViewInConfig": ("parameter", "exact"), "OSMPGroundTruthInit": ("parameter", "exact")}
        for variable in root.find("ModelVariables"):
            wanted = start.get(variable.get("name").split(".base.")[0].removesuffix(".size"))
            if wanted:
                equal((variable.get("causality"), variable.get("variability"), variable.get("initial")),
                      (wanted[0], "fixed", wanted[1]), "OSMP's causality")
        check(set(start) <= set(roles), f"{file} has what OSMP wants of a sensor: {list(roles)}")
    try:
        Fmu(name, guid="{00000000-0000-0000-0000-000000000000}")
    except Exception:
        pass
    else:
        sys.exit(f"failed: {name} takes a foreign token")
    Fmu(name).free()  # neither started nor ended
print(f"{len(files)} FMUs are valid")
