import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeChain } from './complete-chain.ts';
import { readAnswer } from './read-answer.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundplane-answers-'));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (script: string) => execFileSync('bash', ['-e', '-c', script], { cwd: folder, stdio: 'pipe' });
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');

beforeAll(() => {
  run(`
    certify() { # NAME ISSUER EXTENSION…
      name=$1; by=$2; shift 2
      openssl ecparam -name prime256v1 -genkey -noout -out $name.key
      openssl req -new -key $name.key -subj "/CN=\${name%-again}" -out $name.csr
      printf '%s\\n' "$@" > extensions
      if [ $by = self ]; then set -- -signkey $name.key; else set -- -CA $by.crt -CAkey $by.key -CAcreateserial; fi
      openssl x509 -req -in $name.csr "$@" -days 30 -extfile extensions -out $name.crt
    }
    ca='basicConstraints=critical,CA:TRUE keyUsage=critical,keyCertSign'
    certify root self $ca; certify upper root $ca; certify lower upper $ca; certify stranger self $ca
    certify leaf lower extendedKeyUsage=clientAuth
    cp leaf.crt chain.crt
    cat root.crt leaf.crt lower.crt upper.crt stranger.crt > all.crt
    openssl x509 -in leaf.crt -outform DER -out leaf.der
    openssl x509 -in leaf.crt -outform DER | base64 > leaf.b64
    openssl x509 -in leaf.crt -text > leaf.txt
    sed 's/$/\\r/' leaf.crt > leaf.crlf
    printf '\\357\\273\\277' | cat - leaf.crt > leaf.bom
    sed 's/ CERTIFICATE/ X509 CERTIFICATE/' leaf.crt > leaf.old
    openssl crl2pkcs7 -nocrl -certfile all.crt -out all.p7b
    openssl crl2pkcs7 -nocrl -certfile all.crt -outform DER -out all.p7c
    sed 's/ PKCS7/ CMS/' all.p7b > all.cms
    openssl cms -sign -binary -in leaf.csr -signer leaf.crt -inkey leaf.key -outform DER -stream -out indefinite.p7m
    openssl pkcs7 -in all.p7b -outform DER | head -c 900 > short.p7c
    head -c 300 leaf.crt > short.crt
    openssl crl2pkcs7 -nocrl -in /dev/null -out empty.p7b
    openssl pkcs12 -export -in leaf.crt -inkey leaf.key -passout pass: -out leaf.p12
    cat leaf.key leaf.csr > others.pem
    cat leaf.crt leaf.key leaf.csr > both.pem
    echo '<html>Your request is being processed</html>' > page.html
    : > nothing
  `);
});

describe('what openssl writes', () => {
  test.each(['leaf.crt', 'leaf.der', 'leaf.b64', 'leaf.txt', 'leaf.crlf', 'leaf.bom', 'leaf.old', 'both.pem'])(
    '%s holds the certificate',
    async (name) => {
      expect(await readAnswer(bytesOf(name))).toEqual({ certificates: [textOf('leaf.crt')], problems: [] });
    },
  );

  test.each(['all.crt', 'all.p7b', 'all.p7c', 'all.cms'])('%s holds all of them', async (name) => {
    const { certificates, problems } = await readAnswer(bytesOf(name));
    const wanted = ['root', 'leaf', 'lower', 'upper', 'stranger'].map((one) => textOf(`${one}.crt`));
    expect(problems).toEqual([]);
    expect(certificates.toSorted()).toEqual(wanted.toSorted());
  });

  test('PKCS#7 of indefinite length (BER) is read too', async () => {
    expect(await readAnswer(bytesOf('indefinite.p7m'))).toEqual({ certificates: [textOf('leaf.crt')], problems: [] });
  });

  test.each([
    ['short.p7c', /cut short/],
    ['short.crt', /damaged or cut short/],
    ['empty.p7b', /without certificates/],
    ['leaf.p12', /cannot be parsed/],
    ['others.pem', /no certificate but EC PRIVATE KEY, CERTIFICATE REQUEST/],
    ['page.html', /neither PEM nor DER/],
    ['nothing', /it is empty/],
  ])('%s is no answer, with the reason', async (name, reason) => {
    const { certificates, problems } = await readAnswer(bytesOf(name));
    expect(certificates).toEqual([]);
    expect(problems.join()).toMatch(reason);
  });
});

describe('completeChain()', () => {
  const parts = (...names: readonly string[]) => names.map((name) => textOf(`${name}.crt`));
  const now = new Date();

  test.each([
    ['in any order', ['stranger', 'upper', 'root', 'lower'], ['root'], ['leaf', 'lower', 'upper']],
    ['to an intermediate that is trusted itself', ['upper', 'root', 'lower'], ['upper'], ['leaf', 'lower']],
    ['that is the one trusted', ['upper', 'lower'], ['leaf'], ['leaf']],
    ['as far as it goes where one is missing', ['stranger', 'lower'], ['root'], ['leaf', 'lower']],
    ['to nothing', ['stranger'], ['root'], ['leaf']],
  ])('puts a chain together %s', async (_, candidates, anchors, chain) => {
    const [certificate = ''] = parts('leaf');
    const made = await completeChain({
      certificate,
      candidates: parts(...candidates),
      anchors: parts(...anchors),
      now,
    });
    expect(made).toEqual(parts(...chain));
  });
});
