/** One flag of the command line, as data: parsing, help and completion read this table. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  readonly kind: 'text' | 'switch' | 'list';
  /** What stands for the value in help: `NAME`, `DURATION`. */
  readonly value?: string;
  /** Upper-case start, no final period, as kubectl writes them. */
  readonly help: string;
  readonly group: 'selection' | 'diagnosis' | 'output' | 'connection' | 'lab' | 'fix' | 'rights';
  readonly allowed?: readonly string[];
  /** Takes several values with commas between them. */
  readonly many?: true;
  /** What it is where it is not given. */
  readonly default?: string;
  /** No environment variable gives it: it is said anew with each command, or means something else with another one. */
  readonly variable?: false;
  /** Of a number: how it is read. */
  readonly number?: NumberReader;
}

export interface NumberReader {
  /** What the flag takes, in words. */
  readonly takes: string;
  /** Values that it takes, as an example. */
  readonly hint: string;
  /** Null: not one of these. */
  read(text: string): number | null;
}
