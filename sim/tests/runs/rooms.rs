//! Imports go one way, between the rooms of the crate, between those of the checker, and between
//! the files of each of these. A reader of a file needs only the files before it.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of the crate; each imports only from those before it. `schema` is left out: types
/// describe themselves by its helpers, and it lists the types.
const CRATE: [&str; 16] = [
    "unit_text",
    "time",
    "amounts",
    "by_name",
    "json",
    "sorted",
    "protocol",
    "node",
    "environment",
    "cluster",
    "world",
    "trace",
    "scenario",
    "simulation",
    "check",
    "settings",
];

/// The rooms of the checker.
const CHECK: [&str; 6] = ["question", "steps", "explorer", "search", "answer", "advice"];

#[test]
fn rooms_of_the_crate_import_only_from_rooms_before_them() {
    assert_eq!(backward_imports("", "crate::", &CRATE), BTreeSet::new());
}

#[test]
fn rooms_of_the_checker_import_only_from_rooms_before_them() {
    let backward = backward_imports("check", "crate::check::", &CHECK);
    assert_eq!(backward, BTreeSet::new());
}

#[test]
fn files_of_a_room_do_not_import_each_other_in_a_circle() {
    let of_check = CHECK.map(|room| format!("check/{room}"));
    for room in CRATE.map(str::to_owned).into_iter().chain(of_check).filter(|room| room != "check")
    {
        let own = format!("crate::{}::", room.replace('/', "::"));
        let mut imports = BTreeMap::<_, BTreeSet<_>>::new();
        for file in files(&source().join(&room)) {
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            let code = code(&file);
            let used = ["super::", &own].map(|prefix| names_after(&code, prefix));
            imports.entry(name).or_default().extend(used.into_iter().flatten());
        }
        // A file without imports from those that are left is no part of a circle.
        while let Some(done) = imports.iter().find_map(|(name, used)| {
            let is_free = used.iter().all(|it| it == name || !imports.contains_key(it));
            is_free.then(|| name.clone())
        }) {
            imports.remove(&done);
        }
        assert_eq!(imports, BTreeMap::new(), "a circle in {room}");
    }
}

/// The imports from a later room, or from a room without a place in the order.
fn backward_imports(folder: &str, prefix: &str, rooms: &[&str]) -> BTreeSet<(String, String)> {
    let mut backward = BTreeSet::new();
    let place = |name: &str| rooms.iter().position(|room| *room == name);
    for (number, room) in rooms.iter().enumerate() {
        let room = source().join(folder).join(room);
        let mut sources = files(&room);
        sources.push(room.with_extension("rs"));
        for file in sources.iter().filter(|file| file.exists()) {
            let mut names = names_after(&code(file), prefix);
            names.remove("schema");
            names.retain(|name| {
                source().join(folder).join(name).with_extension("rs").exists()
                    || source().join(folder).join(name).is_dir()
            });
            names.retain(|name| place(name).is_none_or(|place| place > number));
            let shown = file.strip_prefix(source()).unwrap().display().to_string();
            backward.extend(names.into_iter().map(|name| (shown.clone(), name)));
        }
    }
    backward
}

pub(super) fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../src")
}

/// The files of a folder and of those in it; none where there is no such folder.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// A file without comments and without its tests, which may use whatever they like.
pub(super) fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = code.lines().map(|line| line.split("//").next().unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

/// The names that follow a prefix in a text.
fn names_after(text: &str, prefix: &str) -> BTreeSet<String> {
    let after = text.split(prefix).skip(1);
    let names = after.map(|rest| {
        let end = rest.find(|it: char| !it.is_ascii_lowercase() && it != '_');
        rest[..end.unwrap_or(rest.len())].to_owned()
    });
    names.filter(|name| !name.is_empty()).collect()
}
