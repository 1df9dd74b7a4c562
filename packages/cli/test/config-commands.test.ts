import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programIn } from './program-call.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-program-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const call = programIn(() => folder);

describe('config', () => {
  const file = (text: string) => {
    const path = join(mkdtempSync(join(folder, 'config-')), 'config.yaml');
    writeFileSync(path, text);
    return path;
  };
  const cluster = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n';

  it('validates: one document with what is wrong', () => {
    expect(call('groundplane', ['config', 'validate', '--config', file(cluster)])).toEqual({
      status: 0,
      stdout: 'ok\n',
      stderr: '',
    });
    const wrong = file(`${cluster}networking: {serviceSubnet: x}\nclusterName: other\n`);
    const { status, stdout, stderr } = call('groundplane', ['config', 'validate', '--config', wrong, '-o', 'json']);
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      file: wrong,
      valid: false,
      findings: [{ severity: 'error', artifact: 'networking.serviceSubnet' }],
    });
    expect(stderr).toContain(wrong);
    expect(JSON.parse(call('groundplane', ['config', 'validate', '--config', file(cluster), '-ojson']).stdout)).toEqual(
      {
        file: expect.any(String),
        valid: true,
        findings: [],
      },
    );
  });

  it.each([
    ['init', 'phase', 'certs', 'ca', '--config'],
    ['config', 'validate', '--config'],
    ['config', 'migrate', '--old-config'],
    ['config', 'images', 'list', '--config'],
  ])('names the file that cannot be used: %s %s', (...words) => {
    const folderInstead = join(folder, 'a-folder');
    mkdirSync(folderInstead, { recursive: true });
    for (const path of ['/nonexistent', folderInstead, file('a: [\n'), file('kind: X\n')]) {
      const { status, stderr } = call('groundplane', [...words, path]);
      expect({ status, names: stderr.includes(path) }, stderr).toEqual({ status: 2, names: true });
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });

  it('migrates what kubeadm 1.37 reads no more, and says what became of it', () => {
    const old = file(
      `apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\napiServer: {extraArgs: {v: "4"}, timeoutForControlPlane: 5m0s}\n`,
    );
    const { status, stdout, stderr } = call('kubeadm', ['config', 'migrate', '--old-config', old]);
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('controlPlaneComponentHealthCheck: 5m0s');
    expect(stdout).not.toContain('v1beta3');
    expect(stderr).toContain('apiServer.timeoutForControlPlane');
    const document = JSON.parse(call('groundplane', ['config', 'migrate', '--old-config', old, '-o=json']).stdout);
    expect(document.remarks).toContainEqual(expect.objectContaining({ from: 'apiServer.timeoutForControlPlane' }));
    expect(document.documents).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'ClusterConfiguration' })]),
    );
  });

  it('prints by a template of Go, and says why one cannot be used', () => {
    const list = ['config', 'images', 'list', '--kubernetes-version=v1.37.2', '-o'];
    const printed = call('kubeadm', [...list, 'go-template={{range .images}}{{.}};{{end}}']);
    expect(printed).toMatchObject({ status: 0, stderr: '' });
    expect(printed.stdout).toMatch(/^(registry\.k8s\.io\/[^;\n]+;){7}$/);
    const file = join(folder, 'images.template');
    writeFileSync(file, '{{len .images}}\n');
    expect(call('kubeadm', [...list, `go-template-file=${file}`])).toEqual({ status: 0, stdout: '7\n', stderr: '' });
    const wrong = call('kubeadm', [...list, 'go-template={{.images}']);
    expect(wrong).toMatchObject({ status: 1, stdout: '' });
    expect(wrong.stderr).toMatch(
      /^error: could not construct output printer: error parsing template \{\{\.images\}, template: output:1: bad character/,
    );
    const unfit = call('groundplane', [...list, 'go-template={{.images.x}}']);
    expect(unfit).toMatchObject({ status: 2, stdout: '' });
    expect(unfit.stderr).toContain(`executing "output" at <.images.x>: can't evaluate field x in type interface {}`);
  });

  it('says which image could not be pulled', () => {
    const words = ['config', 'images', 'pull', '--kubernetes-version=v1.37.2', '--cri-socket=unix:///nonexistent.sock'];
    const { status, stderr } = call('groundplane', words);
    expect(status).toBe(4);
    expect(stderr).toContain('failed to pull image "registry.k8s.io/kube-apiserver:v1.37.2"');
  });
});
