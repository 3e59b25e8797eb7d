/** The parts of the harness that faults come from; `--only` names them. */
export const AREAS = ['pg', 'rpc', 'provider', 'subgraph', 'process', 'clock'] as const
export type Area = (typeof AREAS)[number]

/** A source of numbers in [0, 1) that follows from a seed alone. */
export type Random = () => number

/** One thing that goes wrong for a while. It is plain data, so that a schedule can be printed and compared. */
export interface Fault {
  area: Area
  /** What goes wrong, e.g. `cut`, `freeze`, `lag`, `reorganise`, `drop-answer`. */
  kind: string
  /** Whom it befalls: the name of a process, a proxy, or a node of a pool. */
  target: string
  /** From the start of the load, in milliseconds. */
  atMs: number
  /** How long it lasts; 0 is one blow. */
  forMs: number
  /** What the kind needs besides, e.g. `{ blocks: 7 }`. */
  details: Readonly<Record<string, number | string>>
}

/** Ends one fault; harmless where it has ended by itself. */
export type EndFault = () => Promise<void>

/** One area of faults: what can go wrong there, and how it is done. */
export interface FaultArea {
  area: Area
  /** Draws what goes wrong next. It follows from `random` alone and touches nothing. */
  draw: (random: Random) => Pick<Fault, 'kind' | 'target' | 'forMs' | 'details'>
  /** Does it, and gives the way back. */
  begin: (fault: Fault) => Promise<EndFault>
}
