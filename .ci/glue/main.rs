//! `locket-glue MODULE DIRECTORY`: the JavaScript glue of a compiled module, for src/js/build.mjs.

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let usage = "usage: locket-glue MODULE DIRECTORY";
    let module = args.next().context(usage)?;
    let directory = args.next().context(usage)?;
    Bindgen::new()
        .input_path(module)
        .out_name("locket")
        .web(true)?
        .typescript(true)
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .reset_state_function(true)
        .generate(directory)
}
