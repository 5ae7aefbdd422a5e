# SPDX-License-Identifier: BSL-1.0
"""Whether recipes are what their registries take; Conan's is run with a stand-in for Conan: check.py <recipes> <version> <compiler>"""
import hashlib
import importlib.util
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import types
import urllib.request

import yaml

recipes, version, compiler = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]


def claim(holds, what):
    if not holds:
        sys.exit(f"check.py: {what}")


def has(path, fields):
    text = (recipes / path).read_text()
    data = json.loads(text) if path.endswith(".json") else yaml.safe_load(text)
    for name, expected in fields.items():
        claim(name in data, f"{path}: no {name}")
        claim(expected is None or data[name] == expected, f"{path}: {name}: expected {expected}, found {data[name]}")
    return data


# Metadata: what a registry asks for.
port = has("vcpkg/ports/headstrong/vcpkg.json", {"name": "headstrong", "version": version, "description": None, "license": "BSL-1.0"})
needs = [d if isinstance(d, str) else d["name"] for d in port["dependencies"]]
claim(needs == sorted(needs) and {"boost-hana", "xsimd", "vcpkg-cmake", "vcpkg-cmake-config"} <= set(needs), f"vcpkg.json: dependencies: {needs}")
library = has("platformio/library.json", {"name": "headstrong", "version": version, "description": None, "keywords": None,
                                          "license": "BSL-1.0", "headers": "headstrong/headstrong.hpp"})
claim(len(library["description"]) <= 255 and (recipes / "platformio/include" / library["headers"]).exists(), "library.json: description or headers")
has("esp_idf/idf_component.yml", {"version": version, "description": None, "url": None, "license": "BSL-1.0"})
module = has("zephyr/zephyr/module.yml", {"name": "headstrong", "build": {"cmake": "zephyr", "kconfig": "zephyr/Kconfig"}})
for file in module["build"]["cmake"] + "/CMakeLists.txt", module["build"]["kconfig"], "include/headstrong/headstrong.hpp":
    claim((recipes / "zephyr" / file).exists(), f"zephyr: no {file}")
claim(has("conan/recipes/headstrong/config.yml", {"versions": {version: {"folder": "all"}}}), "config.yml")


# As much of Conan as the recipe asks for.
class Conan:
    def requires(self, reference):
        self.required = [*getattr(self, "required", []), reference]


class InvalidConfiguration(Exception):
    pass


class Version(tuple):
    def __new__(cls, text):
        return super().__new__(cls, map(int, str(text).split(".")))

    def __lt__(self, text):
        return tuple(self) < tuple(Version(text))


class Properties(types.SimpleNamespace):
    def set_property(self, name, value):
        setattr(self, name, value)


def get(recipe, url, sha256, strip_root):
    with urllib.request.urlopen(url) as answer:
        archive = answer.read()
    claim(hashlib.sha256(archive).hexdigest() == sha256 and strip_root, "conandata.yml: the archive has another sha256")
    with tempfile.NamedTemporaryFile() as file:
        file.write(archive)
        file.flush()
        tarfile.open(file.name).extractall(pathlib.Path(recipe.source_folder).parent)
    next(pathlib.Path(recipe.source_folder).parent.glob("headstrong-*")).rename(recipe.source_folder)


def copy(recipe, pattern, source, target):
    for file in pathlib.Path(source).rglob(pattern):
        place = pathlib.Path(target) / file.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.read_bytes())


def stand_in(name, **members):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)


stand_in("conan", ConanFile=Conan)
stand_in("conan.errors", ConanInvalidConfiguration=InvalidConfiguration)
stand_in("conan.tools")
stand_in("conan.tools.build", check_min_cppstd=lambda recipe, standard: claim(standard == 20, "conanfile.py: C++20"))
stand_in("conan.tools.files", copy=copy, get=get)
stand_in("conan.tools.layout", basic_layout=lambda recipe, src_folder: None)
stand_in("conan.tools.scm", Version=Version)

folder = recipes / "conan/recipes/headstrong/all"
spec = importlib.util.spec_from_file_location("recipe", folder / "conanfile.py")
loaded = importlib.util.module_from_spec(spec)
spec.loader.exec_module(loaded)
recipe = loaded.HeadstrongConan()
claim(recipe.package_type == "header-library" and recipe.name == "headstrong", "conanfile.py: name or package_type")
recipe.ref, recipe.version, recipe.conan_data = f"headstrong/{version}", version, yaml.safe_load((folder / "conandata.yml").read_text())
recipe.cpp_info, recipe.info = Properties(), types.SimpleNamespace(clear=lambda: None)
for name, release, valid in ("gcc", "12", True), ("clang", "19.1", True), ("gcc", "11.4", False), ("clang", "9", False), ("msvc", "194", False):
    recipe.settings = types.SimpleNamespace(compiler=type("Compiler", (str,), {"version": release})(name))
    try:
        recipe.validate()
        claim(valid, f"conanfile.py: takes {name} {release}")
    except InvalidConfiguration:
        claim(not valid, f"conanfile.py: refuses {name} {release}")
with tempfile.TemporaryDirectory() as place:
    recipe.source_folder, recipe.package_folder = place + "/src", place + "/package"
    recipe.layout()
    recipe.requirements()
    recipe.source()
    recipe.package()
    recipe.package_id()
    recipe.package_info()
    claim({r.split("/")[0] for r in recipe.required} == {r.split("::")[0] for r in recipe.cpp_info.requires}, "conanfile.py: requirements")
    claim(pathlib.Path(place + "/package/licenses/LICENSE").exists(), "conanfile.py: packs no licence")
    subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-I", place + "/package/include", folder / "test_package/test_package.cpp"], check=True)
print("the recipes are what their registries take")
