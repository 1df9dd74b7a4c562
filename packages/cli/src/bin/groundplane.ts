#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { main } from '../main.ts';
import { endProcess } from '../process-output.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
endProcess(await main({ program: 'groundplane', argv: process.argv.slice(2), root }));
