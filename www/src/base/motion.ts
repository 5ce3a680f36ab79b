// Motion, for those who want it.

/** True if the page says that nothing moves by itself. */
export function staysStill(): boolean {
  return document.documentElement.dataset['still'] !== undefined;
}

/** The transition of an element that is removed: it fades. */
export function vanishing(): { duration: number } {
  return { duration: staysStill() ? 0 : 600 };
}
