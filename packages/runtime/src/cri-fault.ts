/** A call of the CRI that failed. */
export class CriFault extends Error {
  override readonly name = 'CriFault';
  /** gRPC status code; those that mean something to us are in {@link grpcStatus}. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const grpcStatus = { deadlineExceeded: 4, notFound: 5, unimplemented: 12, unavailable: 14 } as const;

/** The reason in the text that the gRPC library makes of a connection that failed; any other text as it is. */
export function reasonOf(details: string): string {
  return /^No connection established\. Last error: (?:Error: )?(.*?)\.? Resolution note:/.exec(details)?.[1] ?? details;
}
