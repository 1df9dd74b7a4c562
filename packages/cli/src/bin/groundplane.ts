#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { runToEnd } from '../main.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
runToEnd({ program: 'groundplane', argv: process.argv.slice(2), root });
