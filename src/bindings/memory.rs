//! Lets the module's memory grow in large steps.
//!
//! The allocator takes it page by page, and JavaScript engines answer each time with a search
//! for garbage in the whole heap. Beside a large heap that is slower than all the calls.

use std::arch::wasm32::memory_size;
use std::cell::Cell;
use std::hint::black_box;

const PAGE_SIZE: usize = 64 * 1024;
/// A smaller memory may grow by the page.
const LARGE_PAGES: usize = 16 * 1024 * 1024 / PAGE_SIZE;

thread_local! {
    static PAGES: Cell<usize> = const { Cell::new(LARGE_PAGES) };
}

/// Takes an eighth more than there is if memory has grown since the last time. Call it after
/// whatever makes the table larger.
pub fn grow_ahead() {
    let pages = memory_size::<0>();
    if pages <= PAGES.get() {
        return;
    }
    let mut ahead = Vec::<u8>::new();
    // The allocator keeps what it is given back. There being no more is for others to notice.
    let _ = ahead.try_reserve_exact(pages / 8 * PAGE_SIZE);
    drop(black_box(ahead));
    PAGES.set(memory_size::<0>());
}
