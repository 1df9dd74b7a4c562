import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server whose RSA key has 1024 bits, which OpenSSL does not take unless it is told to. */
export function weakServer(answer: RequestListener) {
  const folder = mkdtempSync(join(tmpdir(), 'groundplane-weak-'));
  const names = ['-subj', '/CN=weak', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', 'weak.key', '-out', 'weak.crt'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:1024', '-noenc', '-days', '1', ...names, ...files], {
    cwd: folder,
    stdio: 'pipe',
  });
  const [key = '', cert = ''] = ['weak.key', 'weak.crt'].map((name) => readFileSync(join(folder, name), 'utf8'));
  rmSync(folder, { recursive: true });
  return { cert, server: createServer({ key, cert, ciphers: 'DEFAULT@SECLEVEL=0' }, answer) };
}
