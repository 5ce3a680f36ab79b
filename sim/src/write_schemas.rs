//! Writes the JSON Schemas and the constants of the crate to `target/schemas/`: `make build` makes
//! TypeScript of them.

use std::{fs, io, path::Path};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/schemas");
    fs::create_dir_all(&folder)?;
    for (name, value) in locket_sim::schema::all() {
        fs::write(folder.join(format!("{name}.json")), format!("{value:#}\n"))?;
    }
    Ok(())
}
