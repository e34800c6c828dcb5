import { type Screen, screenFor } from '../render/lines.ts';
import { painter, signs } from '../render/style.ts';

/** Where and how the terminal UI draws: all that its views need besides the state. */
export interface Canvas {
  readonly columns: number;
  readonly rows: number;
  /** Of the whole width. */
  readonly screen: Screen;
  readonly unicode: boolean;
  readonly color: boolean;
  /** Bold and faint where there are no colours; with them both are there anyway. */
  readonly weights?: boolean;
  /** For screen readers: no bars, no marks that only draw. */
  readonly plain: boolean;
}

/** In front of every line: where lines can be chosen, the chosen one has its sign there. */
export const margin = '  ';

/** Below this there is no room for pods, lists and keys: the verdict stands alone. */
export const smallest = { columns: 60, rows: 16 } as const;

export function canvasFor(facts: Omit<Canvas, 'screen'>): Canvas {
  return { ...facts, screen: screenOf(facts, facts.columns) };
}

/** The same without colours: what is old must not draw the eye. */
export function faded(canvas: Canvas): Canvas {
  return canvasFor({ ...canvas, color: false, weights: canvas.color || canvas.weights === true });
}

/** The same for a part of the width. */
export function screenOf(facts: Pick<Canvas, 'unicode' | 'color' | 'weights'>, columns: number): Screen {
  const whole = screenFor({
    columns,
    paint: painter(facts.color, facts.color || facts.weights === true),
    signs: signs(facts.unicode),
  });
  // Unlike a printed report, a screen is read at a glance: prose may use the whole width.
  return { ...whole, textWidth: Math.max(columns, 20), tableWidth: Math.max(columns, 20) };
}

/** Signs of the terminal UI beside those of the renderers. */
export function marksOf(canvas: Pick<Canvas, 'unicode'>): {
  readonly chosen: string;
  readonly done: string;
  readonly failed: string;
  readonly running: string;
  readonly waiting: string;
} {
  return canvas.unicode
    ? { chosen: '▸', done: '✓', failed: '✗', running: '…', waiting: '·' }
    : { chosen: '>', done: '+', failed: 'x', running: '~', waiting: '.' };
}
