// Run in a mount namespace of its own: does one thing with real mounts and prints what came of it. Argument: a directory.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { localHost } from '../src/local-host.ts';

const [directory = '', action = ''] = process.argv.slice(2);
const { files, mounts } = localHost();
const run = (program: string, ...args: readonly string[]) => execFileSync(program, args);
const tmpfs = (name: string) => {
  mkdirSync(`${directory}/${name}`, { recursive: true });
  run('mount', '-t', 'tmpfs', 'none', `${directory}/${name}`);
  writeFileSync(`${directory}/${name}/precious`, '');
};
const bind = (name: string) => {
  mkdirSync(`${directory}/${name}`, { recursive: true });
  mkdirSync(`${directory}/source`, { recursive: true });
  writeFileSync(`${directory}/source/precious`, '');
  run('mount', '--bind', `${directory}/source`, `${directory}/${name}`);
};
const below = async () => (await mounts.table()).split('\n').filter((line) => line.includes(`${directory}/`)).length;

const actions: Readonly<Record<string, () => Promise<unknown>>> = {
  async unmount() {
    tmpfs('kubelet/a b');
    tmpfs('kubelet/a b/inner');
    const before = await below();
    await mounts.unmount(`${directory}/kubelet/a b/inner`);
    await mounts.unmount(`${directory}/kubelet/a b`);
    return { before, after: await below() };
  },
  async gone() {
    await mounts.unmount(`${directory}/nothing`);
    return { after: await below() };
  },
  async busy() {
    tmpfs('kubelet');
    process.chdir(`${directory}/kubelet`);
    const error = await mounts.unmount(`${directory}/kubelet`).catch((thrown) => thrown);
    const still = await below();
    await mounts.unmount(`${directory}/kubelet`, { lazy: true });
    return { code: error.code, message: error.message, still, after: await below() };
  },
  async stacked() {
    tmpfs('kubelet');
    tmpfs('kubelet');
    await mounts.unmount(`${directory}/kubelet`);
    const between = await below();
    await mounts.unmount(`${directory}/kubelet`);
    return { between, after: await below() };
  },
  async empty() {
    tmpfs('kubelet/pods/1/secret');
    bind('kubelet/pods/2/volume');
    writeFileSync(`${directory}/kubelet/pods/file`, '');
    mkdirSync(`${directory}/kubelet/plugins/deep/er`, { recursive: true });
    const leftovers = await files.empty(`${directory}/kubelet`);
    return {
      leftovers: leftovers.map(({ path, reason }) => `${path.slice(directory.length)}: ${reason}`),
      kept: [...readdirSync(`${directory}/kubelet/pods/1/secret`), ...readdirSync(`${directory}/source`)],
      names: readdirSync(`${directory}/kubelet`, { recursive: true }).sort(),
    };
  },
};

const chosen = actions[action];
if (chosen === undefined) throw new TypeError(`Cannot do '${action}'`);
console.log(JSON.stringify(await chosen()));
