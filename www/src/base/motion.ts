// Motion, for those who want it.

/** Whether the visitor, or the page's address, asks that nothing moves by itself. */
export function staysStill(): boolean {
  return document.documentElement.dataset['still'] !== undefined || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** How something that is gone fades. */
export function vanishing(): { duration: number } {
  return { duration: staysStill() ? 0 : 600 };
}
