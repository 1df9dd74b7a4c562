import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chosenSigner } from './chosen-signer.ts';
import { readSchemas } from './schemas.ts';

const schema = readSchemas(fileURLToPath(new URL('..', import.meta.url))).get('signing-request') ?? {};
const validate = new Ajv2020({ strict: true, allErrors: true, formats: { 'date-time': true } }).compile(schema);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chosen-signer-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A CA of openssl's, valid until 2126. */
const authority = `-----BEGIN CERTIFICATE-----
MIIBgTCCASegAwIBAgIUV0HZg5GiOGSMjSGAEH9PKpAFM+0wCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKa3ViZXJuZXRlczAgFw0yNjEyMDEwMzM3NTlaGA8yMTI2MTEw
NzAzMzc1OVowFTETMBEGA1UEAwwKa3ViZXJuZXRlczBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABOHI79kOjbOQiYg6w1ViX4e17mVe2bzeFGx0lvJojJAfRkG+ZblP
XhEC0r2ikbaer9W1kl/tSZ0C34/temMtNJSjUzBRMB0GA1UdDgQWBBT+/mTnstXT
w4eZu/FAmoviLp8JnzAfBgNVHSMEGDAWgBT+/mTnstXTw4eZu/FAmoviLp8JnzAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQD4BgyyQeWnJwE/Fn+M
DYstv+a62n1RxoOKJ1hCXAbULwIgepmE6CNji6DSoR37mGTXEMKuZ9ddB7UIjZAi
GZL0dqc=
-----END CERTIFICATE-----
`;

const document = (signer: object) =>
  `apiVersion: groundplane.dev/v1alpha1\nkind: GroundplaneConfiguration\nsigner: ${JSON.stringify(signer)}\n`;

interface Given {
  readonly flag?: string;
  readonly text?: string;
}

const choose = ({ flag, text }: Given) => {
  const flags = flag === undefined ? {} : { 'signer-command': flag };
  return chosenSigner({ flags, signal: new AbortController().signal }, { text, node: () => 'node-a' });
};

describe('the signer is', () => {
  const command = ['/usr/local/bin/sign', 'two words'];
  test.each<[string, Given, string | undefined]>([
    ['that of the flag', { flag: "sign 'two words'" }, 'sign'],
    ['that of the file', { text: document({ command }) }, '/usr/local/bin/sign'],
    ['that of the flag before that of the file', { flag: 'sign', text: document({ command }) }, 'sign'],
    ['this program itself where nobody names one', {}, undefined],
    ['this program itself where the document names none', { text: document({}).replace(/signer:.*/, '') }, undefined],
    ['nobody yet where the file cannot be used, which others say', { text: document({ command: [] }) }, undefined],
  ])('%s', async (_, given, name) => {
    expect((await choose(given)).name).toBe(name);
  });
});

test.each([['sign | tee'], ["sign 'x"], [''], ['./sign']])('as a flag it cannot be: %s', async (flag) => {
  await expect(choose({ flag })).rejects.toMatchObject({
    code: 'CLI_FLAG_VALUE',
    message: expect.stringMatching(/^Cannot use --signer-command as /),
  });
});

test('what a command is told fits the schema', async () => {
  const asked = join(folder, 'asked');
  const signer = await choose({ text: document({ command: ['sh', '-c', 'cat > "$0"; exit 1', asked] }) });
  const [issued] = signer.issue([
    {
      name: 'apiserver',
      algorithm: 'ECDSA-P256',
      certificate: {
        ...{ commonName: 'kube-apiserver', organizations: ['o'], dnsNames: ['kubernetes'], ipAddresses: ['192.0.2.1'] },
        ...{ usages: ['serverAuth'], isCA: false, notBefore: new Date(0), notAfter: new Date('2030-01-01T00:00:00Z') },
        issuer: { name: 'ca', certificate: authority },
      },
    },
  ]);
  await expect(issued).rejects.toMatchObject({
    code: 'BOOTSTRAP_SIGNER_FAILED',
    message: "Cannot get the certificate 'apiserver' from the signer 'sh': it ended with exit code 1, and said nothing",
  });
  const told = JSON.parse(readFileSync(asked, 'utf8'));
  validate(told);
  expect(validate.errors).toBeNull();
  expect(told.profile).toMatchObject({ artifact: 'apiserver', node: 'node-a', issuer: 'ca' });
  validate({ ...told, profile: { ...told.profile, node: 1 } });
  expect(validate.errors).not.toBeNull();
});
