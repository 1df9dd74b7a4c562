#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { runToEnd } from '../main.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
runToEnd({ program: 'kubeadm', argv: process.argv.slice(2), root });
