// Every command asks, so this imports nothing.

/** Whose state it is. */
export interface StateOwner {
  readonly uid: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** This process and who owns it. */
export function ownProcess(): StateOwner {
  return { uid: process.getuid?.() ?? 0, environment: process.env };
}
