/** The command that runs a phase alone, without the program: `init phase certs ca`. */
export function phaseCommand(workflow: string, phase: string): string {
  return `${workflow} phase ${phase.replaceAll('/', ' ')}`;
}
