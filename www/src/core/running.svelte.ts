// How many clients of a real Locket this page runs: the header says so in every view, also where Live was never loaded.

export const running: { count: () => number } = $state({ count: () => 0 });
