import fc from 'fast-check';
import type { Mutation } from './mutate-bytes.ts';

const block = /-----BEGIN ([^-]*)-----\n([A-Za-z0-9+/=\n]*)-----END [^-]*-----\n?/g;
const labels = [
  'CERTIFICATE',
  'PRIVATE KEY',
  'EC PRIVATE KEY',
  'RSA PRIVATE KEY',
  'PUBLIC KEY',
  'ENCRYPTED PRIVATE KEY',
  'DSA PRIVATE KEY',
  'FROB',
  '',
];

/** PEM text with its first block changed. */
export function onBlock(name: string, change: (label: string, der: Buffer) => string): Mutation {
  return {
    name,
    apply: (bytes) => {
      let isFirst = true;
      const text = Buffer.from(bytes).toString('latin1');
      const changed = text.replaceAll(block, (whole, label: string, body: string) => {
        if (!isFirst) return whole;
        isFirst = false;
        return change(label, Buffer.from(body, 'base64'));
      });
      return Buffer.from(changed, 'latin1');
    },
  };
}

export function pem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{1,64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`;
}

const place = fc.noBias(fc.integer({ min: 0, max: 9_999 })).map((number) => number / 10_000);

/** Changes that know what PEM and DER are. */
export const pemMutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(place, fc.integer({ min: 0, max: 7 })).map(([fraction, bit]) =>
      onBlock(`flip bit ${bit} of the DER at ${fraction.toFixed(3)}`, (label, der) => {
        const index = Math.floor(der.length * fraction);
        der[index] = (der[index] ?? 0) ^ (1 << bit);
        return pem(label, der);
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: place.map((fraction) =>
      onBlock(`cut the DER off at ${fraction.toFixed(3)}`, (label, der) =>
        pem(label, der.subarray(0, Math.floor(der.length * fraction))),
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...labels)
      .map((wanted) => onBlock(`label it '${wanted}'`, (_, der) => pem(wanted, der))),
  },
  fc
    .uint8Array({ minLength: 1, maxLength: 20 })
    .map((more) =>
      onBlock(`append ${Buffer.from(more).toString('hex')} to the DER`, (label, der) =>
        pem(label, Buffer.concat([der, more])),
      ),
    ),
  fc.constantFrom(
    onBlock('leave its end away', (label, der) => pem(label, der).replace(/-----END.*\n/, '')),
    onBlock('put it on one line', (label, der) => pem(label, der).replaceAll('\n', '')),
    onBlock('give it headers of an encrypted key', (label, der) =>
      pem(label, der).replace(
        '\n',
        '\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123456789ABCDEF0123456789ABCDEF\n\n',
      ),
    ),
    onBlock('give it empty contents', (label) => pem(label, new Uint8Array())),
    onBlock('put it twice', (label, der) => pem(label, der).repeat(2)),
    onBlock(
      'put it behind parameters',
      (label, der) => pem('EC PARAMETERS', Buffer.from('06082a8648ce3d030107', 'hex')) + pem(label, der),
    ),
    onBlock('put text around it', (label, der) => `Bag Attributes\n  x: y\n${pem(label, der)}subject=x\n`),
    onBlock('make an endless length of it', (label, der) => {
      der.set([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]);
      return pem(label, der);
    }),
    onBlock('nest it deeply', (label) => pem(label, Buffer.concat(Array(3_000).fill(Buffer.from('3080', 'hex'))))),
  ),
);
