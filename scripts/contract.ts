/**
 * Writes docs/contract.md from what the command line says of the phases of every workflow.
 *
 *   node scripts/contract.ts          writes it
 *   node scripts/contract.ts --check  says whether it is up to date, by its exit code
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const page = path('docs/contract.md');
const program = path('packages/cli/dist/bin/groundplane.js');

const workflows = ['init', 'join', 'reset'] as const;

function introduction(): string {
  return `<!-- Written by ./dev contract. Do not edit. -->

# The contract of the phases

What each phase reads and writes, and what is demanded of it. Whoever meets the demands has replaced the phase, with whatever tool: the phases that are left ask for no
more than this page says. The values are those of kubeadm's defaults on a node \`node-1\` with the address 192.0.2.10; for those of a configuration, on any machine and without root:

    groundplane phases describe [PHASE] --config FILE [--workflow ${workflows.join('|')}] [-o text|json|markdown]

With \`-o json\` the same is there as data, down to every name of a certificate; its schema is printed by \`groundplane schemas phases-describe\`.

## How to read it

- **must**: without it the run stops before its first write. **should**: it is a warning. In brackets the code of the finding.
- **Made here** is what the phase itself makes. It is one way to meet the demands; whatever meets them will do.
- In the first line of a file: its id, which demands on other files name it by; its format; the mode and the owner that we give it, and the most permissive mode that is accepted without a warning.
- Files are complete before they have their name: write \`FILE.tmp\`, then \`mv\`. A key is there before its certificate.
- PEM (RFC 7468) is text in UTF-8. Several certificates in one file stand one behind the other, the own one first. Private keys are not encrypted.
- An object is as it should be if every field that is shown has its value; fields that others add are theirs.
- A phase whose files are there and in order keeps them; with \`--skip-phases\` it does not run at all, and its files are held to the same demands.

## A certificate with openssl

The first demand on a certificate names all that it takes. As an example \`certs/apiserver\`, where the CA is there:

${opensslExample('certs/apiserver')}

The key pair of service accounts has no certificate: \`openssl genrsa -traditional -out sa.key 2048\` and \`openssl pkey -in sa.key -pubout -out sa.pub\`.

A CA is made likewise, with \`openssl req -x509\`, \`basicConstraints = critical, CA:TRUE\` and the key usage keyCertSign. What was made is judged by
\`groundplane init --skip-phases certs --dry-run\`.

## A kubeconfig

Its demands name cluster, user, context, server and client certificate; data are base64 of PEM, in one line:

\`\`\`yaml
apiVersion: v1
kind: Config
clusters:
- name: CLUSTER
  cluster:
    server: https://192.0.2.10:6443
    certificate-authority-data: CA
users:
- name: USER
  user:
    client-certificate-data: CERTIFICATE
    client-key-data: KEY
contexts:
- name: USER@CLUSTER
  context: {cluster: CLUSTER, user: USER}
current-context: USER@CLUSTER
\`\`\`
`;
}

interface Certificate {
  readonly subject: { readonly CN: string };
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly keyUsage: readonly string[];
  readonly extendedKeyUsage: readonly string[];
  readonly validityDays: number;
}

interface Described {
  readonly phases: readonly {
    readonly reads: readonly { readonly id: string; readonly place: string }[];
    readonly writes: readonly {
      readonly place: string;
      readonly mode: string;
      readonly demands: readonly {
        readonly certificate?: Certificate;
        readonly key?: { readonly algorithm: string };
      }[];
    }[];
  }[];
}

/** The commands for a phase that writes a key, an RSA one, and its certificate, both signed by the CA that it reads. */
function opensslExample(name: string): string {
  const { phases } = JSON.parse(describe(name, '-o', 'json')) as Described;
  const [phase] = phases;
  const demands = (phase?.writes ?? []).flatMap((use) => use.demands.map((demand) => ({ ...demand, ...use })));
  const key = demands.find((demand) => demand.key !== undefined);
  const made = demands.find((demand) => demand.certificate !== undefined);
  const [authority, authorityKey] = phase?.reads ?? [];
  if (!key?.key || !made?.certificate || !authority || !authorityKey) throw new Error(`nothing is said about ${name}`);
  const { subject, dnsNames, ipAddresses, keyUsage, extendedKeyUsage, validityDays } = made.certificate;
  const folder = dirname(key.place);
  const file = (place: string) => relative(folder, place);
  const names = [...dnsNames.map((one) => `DNS:${one}`), ...ipAddresses.map((one) => `IP:${one}`)];
  return `\`\`\`sh
cd ${folder}
openssl genrsa -traditional -out ${file(key.place)} ${key.key.algorithm.replace('RSA-', '')}
chmod ${key.mode} ${file(key.place)}
openssl req -new -key ${file(key.place)} -subj '/CN=${subject.CN}' |
  openssl x509 -req -CA ${file(authority.place)} -CAkey ${file(authorityKey.place)} -days ${validityDays} -out ${file(made.place)} -extfile /dev/fd/3 3<<'END'
basicConstraints = critical, CA:FALSE
keyUsage = critical, ${keyUsage.join(', ')}
extendedKeyUsage = ${extendedKeyUsage.join(', ')}
subjectAltName = ${names.join(', ')}
END
\`\`\``;
}

function describe(...args: readonly string[]): string {
  return execFileSync(process.execPath, [program, 'phases', 'describe', ...args], { encoding: 'utf8', cwd: '/' });
}

/** As the formatter of the repository wants it. */
function formatted(text: string): string {
  const biome = path('node_modules/.bin/biome');
  return execFileSync(biome, ['format', '--stdin-file-path=docs/contract.md'], {
    input: text,
    encoding: 'utf8',
    cwd: path(''),
  });
}

const parts = [introduction(), ...workflows.map((workflow) => describe('--workflow', workflow, '-o', 'markdown'))];
const text = formatted(`${parts.map((part) => part.trimEnd()).join('\n\n')}\n`);
if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
  process.stderr.write('contract: docs/contract.md is not what the phases say; run ./dev contract\n');
  process.exitCode = 1;
}
