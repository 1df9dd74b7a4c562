/** The code that Node.js puts on errors of connections and of TLS: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
export function systemCodeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}
