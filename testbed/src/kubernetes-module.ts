import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetesComponents, kubernetesGroupName } from './component-table.ts';
import { mustRun } from './run-command.ts';

/**
 * The go.mod, before `go mod tidy`, from which the programs of one Kubernetes
 * version are built. Kubernetes replaces its staging modules by relative paths,
 * which mean nothing to a module that depends on it: here each is replaced by the
 * published one, v1.N.P being v0.N.P there.
 *
 * @param version without `v`
 * @param upstream text of Kubernetes' own go.mod at that version
 */
export function kubernetesModule(version: string, upstream: string): string {
  const stagingVersion = `v0.${version.split('.').slice(1).join('.')}`;
  const staging = [...upstream.matchAll(/^\s*(?:replace )?(k8s\.io\/[a-z0-9-]+) => \.\/staging/gm)].map(
    (match) => match[1],
  );
  const goVersion = /^go (\S+)$/m.exec(upstream)?.[1] ?? '1.26.0';
  const tools = kubernetesComponents.filter((one) => one.build !== 'test').map((one) => one.package);
  return [
    'module groundplane.invalid/testbed/kubernetes',
    `go ${goVersion}`,
    `tool (\n${tools.map((name) => `\t${name}`).join('\n')}\n)`,
    `require k8s.io/kubernetes v${version}`,
    `replace (\n${staging.map((name) => `\t${name} => ${name} ${stagingVersion}`).join('\n')}\n)`,
    '',
  ].join('\n\n');
}

/**
 * Makes the folder of a further Kubernetes version below `components`, to be
 * committed; its row in the component table is written by hand.
 */
export async function addKubernetesModule(version: string, components: string): Promise<string> {
  const folder = join(components, kubernetesGroupName(version));
  if (existsSync(folder)) throw new Error(`cannot add Kubernetes ${version}: ${folder} exists`);
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' };
  const download = ['go', 'mod', 'download', '-json', `k8s.io/kubernetes@v${version}`];
  const { GoMod } = JSON.parse(await mustRun(download, { env })) as { GoMod: string };
  mkdirSync(folder);
  writeFileSync(join(folder, 'go.mod'), kubernetesModule(version, readFileSync(GoMod, 'utf8')));
  writeFileSync(join(folder, 'e2e_suite.go'), suiteImport);
  await mustRun(['go', 'mod', 'tidy'], { env, cwd: folder });
  return folder;
}

const suiteImport = `//go:build tools

// Package endtoend keeps the modules that the Kubernetes project's own kubeadm
// suite needs in go.mod; it is never built.
package endtoend

import _ "k8s.io/kubernetes/test/e2e_kubeadm"
`;
