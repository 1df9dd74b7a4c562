import { type CommandClass, lazyCommandClass } from './command-class.ts';

/**
 * Command id → class, for oclif's explicit discovery. The manifest says which ids there are, so a class is made only for the
 * id that is asked for, and nothing here imports a workflow.
 */
const commands: Readonly<Record<string, CommandClass>> = new Proxy<Record<string, CommandClass>>(
  {},
  {
    get: (made, id) => {
      // oclif returns this record from an async function, which asks it whether it is a promise.
      if (typeof id !== 'string' || id === 'then') return undefined;
      made[id] ??= lazyCommandClass();
      return made[id];
    },
  },
);

export default commands;
