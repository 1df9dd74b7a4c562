/** A sentence as it stands by itself. */
export function withCapitalInitial(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence as it stands behind a colon. */
export function withSmallInitial(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
