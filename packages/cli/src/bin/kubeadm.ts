#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { main } from '../main.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
process.exit(await main({ program: 'kubeadm', argv: process.argv.slice(2), root }));
