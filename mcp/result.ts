import type { Envelope } from '../rest-compat/envelope.js'
import { nextStep } from './next-step.js'

/** What a tool answers. */
export interface ToolResult {
  content: readonly { type: 'text'; text: string }[]
  structuredContent?: object
  isError?: true
}

/** A failure in words: what was wrong, in which fields, and what to do next. */
export function failureResult({ status, message, statusCode, errors = [], details }: Envelope): ToolResult {
  const lines = [
    `${status}: ${message}`,
    ...errors.map((failure) => `- ${failure.field}: ${failure.message}`),
    ...(details === undefined ? [] : [details]),
    nextStep(status, statusCode),
  ]
  return { content: [{ type: 'text', text: lines.join('\n') }], isError: true }
}
