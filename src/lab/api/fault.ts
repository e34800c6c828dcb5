import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import { writeAnswer, writeRawAnswer } from './write.ts';

/** Something to go wrong, for tests: the first requests whose `METHOD path?query` matches get this answer. */
export interface Fault {
  readonly request: RegExp;
  /** How often; default 1. */
  readonly times?: number;
  readonly delayMs?: number;
  /** Without an answer the request is served as usual, after the delay. */
  readonly answer?: Answer;
  /** Cut the connection: before a byte is sent, or in the middle of the answer's body. */
  readonly close?: 'before' | 'midway';
}

export interface Faults {
  inject(fault: Fault): void;
  clear(): void;
  /** The fault that this request meets, used up by one. */
  take(method: string, url: string): Fault | undefined;
}

export function faultList(): Faults {
  let faults: { readonly fault: Fault; left: number }[] = [];
  return {
    inject(fault) {
      faults.push({ fault, left: fault.times ?? 1 });
    },
    clear() {
      faults = [];
    },
    take(method, url) {
      const hit = faults.find(({ fault }) => fault.request.test(`${method} ${url}`));
      if (!hit) return undefined;
      hit.left -= 1;
      if (hit.left <= 0) faults = faults.filter((other) => other !== hit);
      return hit.fault;
    },
  };
}

/** Plays a fault; answers whether the request is dealt with. */
export async function playFault(fault: Fault, target: ServerResponse | Duplex): Promise<boolean> {
  if (fault.delayMs) await delay(fault.delayMs);
  const socket = 'socket' in target ? target.socket : target;
  if (fault.close === 'before' || (fault.close === 'midway' && !fault.answer)) {
    socket?.destroy();
    return true;
  }
  if (!fault.answer) return false;
  if (!('socket' in target)) writeRawAnswer(target, fault.answer);
  else if (fault.close === 'midway') {
    const { status, body } = fault.answer;
    target.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    target.write(body.slice(0, body.length / 2), () => socket?.destroy());
  } else writeAnswer(target, fault.answer);
  return true;
}
