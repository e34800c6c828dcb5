import { Box, Text } from 'ink';
import { memo, type ReactNode } from 'react';
import type { Canvas } from './canvas.ts';

/** How the terminal is drawn on. */
export interface Style extends Pick<Canvas, 'color' | 'weights' | 'unicode' | 'plain'> {
  /** The terminal tells of clicks and of the wheel. */
  readonly mouse?: boolean;
}

export interface RowsOfScreen {
  readonly title: string;
  readonly body: readonly string[];
  readonly footer: readonly string[];
  readonly columns: number;
  readonly rows: number;
}

/** Exactly the screen, so that nothing needs to be clipped: Ink would read every line three times for that. */
export function WholeScreen({ title, body, footer, columns, rows }: RowsOfScreen): ReactNode {
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Rows text={title} />
      <Rows text={body.join('\n')} />
      <Rows text={footer.join('\n')} />
    </Box>
  );
}

/** Lines that change together: the fewer of them, the less Ink has to lay out. */
const Rows = memo(function Rows({ text }: { readonly text: string }): ReactNode {
  return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
});
