import type { CrashPlan } from './mortal.js'

/** Something that happens. `of`: to which payment. What a process does may end in its death. */
export type Step =
  /** The payer pays so many cents more or less than was asked for. */
  | { do: 'pay'; of: number; more: number }
  /** The provider or a payer's bank does something. */
  | { do: 'provider-refund' | 'force' | 'fee'; of: number; cents: number }
  | { do: 'chargeback' | 'win'; of: number }
  | { do: 'end-refunds'; isDone: boolean }
  /** What becomes of the next refund that is ordered. */
  | { do: 'next-refund'; mode: 'done' | 'waits' | 'declined' | 'lost' }
  | { do: 'wait'; seconds: number }
  | { do: 'mine'; refuses: boolean; prefersOld: boolean }
  | { do: 'reorganise'; depth: number; isForgotten: boolean }
  | { do: 'forget' }
  | { do: 'gas'; price: number }
  | { do: 'release'; of: number }
  /** Somebody sends a part of what is due to a payment's address, in percent, or the chain drops what came last. */
  | { do: 'send'; of: number; percent: number }
  | { do: 'drop'; isAgain: boolean }
  /** The product does something. */
  | { do: 'order-refund'; of: number; cents: number | undefined; dies?: CrashPlan | undefined }
  | { do: 'sync'; of: number; dies?: CrashPlan | undefined }
  | { do: 'accept' | 'give-back'; of: number; dies?: CrashPlan | undefined }
  | { do: 'watch' | 'share'; dies?: CrashPlan | undefined }
  | { do: 'jobs' | 'settle' | 'follow' | 'fees'; dies?: CrashPlan | undefined }
