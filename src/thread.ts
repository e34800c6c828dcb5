/** A thread of the program: diagnoses what it is sent, one after the other, while main.ts hears keys and signals. */
import { parentPort } from 'node:worker_threads';
import type { Task } from './commands/thread.ts';
import { diagnosePorts } from './diagnose.ts';

parentPort?.on('message', ({ evidence, options }: Task) => parentPort?.postMessage(diagnosePorts(evidence, options)));
