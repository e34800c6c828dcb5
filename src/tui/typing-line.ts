import type { Canvas } from './canvas.ts';

/** The filter while it is typed, and how that ends. */
export function typingLine(filter: string, { screen: { paint } }: Canvas): string {
  return `${paint('strong', `/${filter}_`)}  ${paint('dim', 'enter keeps it, esc clears it')}`;
}
