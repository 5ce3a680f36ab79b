//! The scenarios that others are made of: the shipped ones, and one with many faults.

/// Their texts, in the order of their files.
pub(super) fn scenarios() -> Vec<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let files = std::fs::read_dir(format!("{root}/scenarios")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let is_scenario = |name: &str| name.ends_with(".json") && name != "digests.json";
    let mut files: Vec<_> =
        files.filter(|file| is_scenario(file.file_name().unwrap().to_str().unwrap())).collect();
    files.sort();
    files.push(format!("{root}/tests/data/faulty.json").into());
    let read = |file| std::fs::read_to_string(file).unwrap();
    files.into_iter().map(read).collect()
}
