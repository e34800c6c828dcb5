/**
 * Markup is made here alone: a string is text wherever it stands, so that nothing that a cluster says can become an
 * element, an attribute or a reference to a character.
 */
export interface Markup {
  readonly markup: string;
}

export type Child = Markup | string | number | null | readonly Child[];

/** All that a page holds: nothing that runs, loads or leads out of it. */
type Tag =
  | ('html' | 'head' | 'title' | 'body' | 'main' | 'nav' | 'article' | 'header' | 'footer' | 'section' | 'div' | 'p')
  | ('h1' | 'h2' | 'h3' | 'span' | 'strong' | 'bdi' | 'code' | 'pre' | 'time' | 'a' | 'ul' | 'ol' | 'li' | 'dl' | 'dt')
  | (
      | 'dd'
      | 'details'
      | 'summary'
      | 'table'
      | 'caption'
      | 'thead'
      | 'tbody'
      | 'tr'
      | 'th'
      | 'td'
      | 'svg'
      | 'rect'
      | 'path'
    );

/** None holds a style or an address; `anchor` is the id of another element of the page. */
export interface Attributes {
  readonly class?: string;
  readonly id?: string;
  readonly anchor?: string;
  readonly lang?: string;
  readonly datetime?: string;
  readonly scope?: 'col' | 'row';
  /** The head of the column, for narrow pages, where a row is a list. */
  readonly head?: string;
  /** What a picture shows, for those who do not see it. */
  readonly image?: string;
  /** A picture fills its place, whatever the proportions of that are: it holds no text. */
  readonly viewBox?: string;
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly d?: string;
}

export function element(tag: Tag, attributes: Attributes, ...children: readonly Child[]): Markup {
  const names = Object.entries(attributes).map(([name, value]) => ` ${attribute(name, String(value))}`);
  return { markup: `<${tag}${names.join('')}>${children.map(markupOf).join('')}</${tag}>` };
}

function attribute(name: string, value: string): string {
  switch (name) {
    case 'anchor':
      return `href="#${escaped(value)}"`;
    case 'head':
      return `data-head="${escaped(value)}"`;
    case 'image':
      return `role="img" aria-label="${escaped(value)}"`;
    case 'viewBox':
      return `viewBox="${escaped(value)}" preserveAspectRatio="none"`;
    default:
      return `${name}="${escaped(value)}"`;
  }
}

function markupOf(child: Child): string {
  if (child === null) return '';
  if (typeof child === 'string' || typeof child === 'number') return escaped(String(child));
  return 'markup' in child ? child.markup : child.map(markupOf).join('');
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities.get(sign) ?? sign);
}
