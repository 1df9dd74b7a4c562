import type { CertificateImport } from '@groundplane/bootstrap';

/** What `certs import` tells people, with the words with a blank in front that the next command needs as well; what was refused is told with the error. */
export function importLines(
  { imported, kept, needs }: CertificateImport,
  { dryRun, flags }: { readonly dryRun: boolean; readonly flags: string },
): readonly string[] {
  const width = Math.max(0, ...imported.map(({ name }) => name.length));
  const words = { placed: dryRun ? 'would be placed' : 'placed', kept: 'in place already' };
  const needed = needs.filter(({ state }) => state !== 'valid');
  return [
    ...imported.map(({ name, action, place, answer, intermediates }) => {
      const behind =
        intermediates.length === 0
          ? ''
          : `, with ${intermediates.length} intermediate CA certificate${intermediates.length === 1 ? '' : 's'}`;
      return `${name.padEnd(width)}  ${words[action]}: ${place}, until ${answer.description.notAfter.toISOString()}${behind}, from ${answer.file.name}`;
    }),
    ...(kept === undefined
      ? []
      : [
          `${kept.added} intermediate CA certificate${kept.added === 1 ? '' : 's'} for what is still to come ${dryRun ? 'would be kept' : 'kept'}: ${kept.place}`,
        ]),
    needed.length === 0
      ? 'Nothing more is needed'
      : `Still needed: ${needed.map(({ name }) => name).join(', ')}; see: groundplane certs requests${flags}`,
  ];
}
