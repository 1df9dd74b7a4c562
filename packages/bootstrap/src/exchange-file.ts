import { type Artifact, type ArtifactAction, digestOf, type SuppliedPorts } from '@groundplane/phases';

/** A file of the exchange with a CA that was written. No field is secret. */
export interface ExchangedFile {
  /** Id of the artifact that it is. */
  readonly artifact: string;
  /** Absolute path. */
  readonly location: string;
  readonly action: Extract<ArtifactAction, 'created' | 'replaced'>;
  /** `sha256:<hex>` of its bytes. */
  readonly digest: string;
}

/** What those who exchange certificates with a CA can be told. */
export interface ExchangeReport {
  /** Told of each file as soon as it is written, before the next one: for a journal. */
  readonly onWritten?: ((file: ExchangedFile) => Promise<void>) | undefined;
}

/** A file that is to be written. */
export interface ExchangeWrite {
  readonly artifact: Artifact<unknown>;
  readonly place: string;
  readonly text: string;
  readonly action: ExchangedFile['action'];
}

/** Writes one file in one step, with the mode of its artifact. */
export async function writeExchanged(
  { artifact, place, text, action }: ExchangeWrite,
  { ports, onWritten }: ExchangeReport & { readonly ports: SuppliedPorts },
): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  const { id, mode = 0o600, maxMode } = artifact;
  await ports.host.files.write(place, bytes, { mode, ...(maxMode === undefined ? {} : { maxMode }) });
  await onWritten?.({ artifact: id, location: place, action, digest: await digestOf(bytes) });
}
