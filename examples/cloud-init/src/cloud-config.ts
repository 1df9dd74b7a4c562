import { stringifyYaml } from '@groundplane/manifest';

export interface CloudConfig {
  readonly files: readonly {
    readonly path: string;
    /** Permission bits. */
    readonly mode: number;
    readonly content: string;
  }[];
  /** Each is the words of one command; no shell reads them. They run in this order. */
  readonly commands: readonly (readonly string[])[];
}

/** User data in cloud-init's own format. All files belong to root. */
export function cloudConfig({ files, commands }: CloudConfig): string {
  return `#cloud-config\n${stringifyYaml({
    write_files: files.map(({ path, mode, content }) => ({
      path,
      owner: 'root:root',
      permissions: octal(mode),
      content,
    })),
    runcmd: commands,
  })}`;
}

/** `0600`: four digits, as cloud-init documents it. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
