import { useRef, useState } from 'preact/hooks'
import type { Messages } from './messages/messages.js'

interface CopyBoxProps {
  /** Of `data-test`: the text's, and its button's. */
  name: string
  copyName: string
  label: string
  copyLabel: string
  rows: number
  value: string
  messages: Messages
}

/** A text that a payer takes elsewhere: shown whole, and copied exactly as it is. */
export function CopyBox({ name, copyName, label, copyLabel, rows, value, messages }: CopyBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    box.current?.select()
    try {
      await navigator.clipboard.writeText(value)
    } catch {
      // Plain http has no clipboard: what is selected can be copied by hand.
      document.execCommand('copy')
    }
    setCopied(true)
  }
  return (
    <>
      <label for={name}>{label}</label>
      <textarea
        ref={box}
        id={name}
        data-test={name}
        rows={rows}
        readOnly
        spellcheck={false}
        value={value}
        onFocus={(event) => {
          event.currentTarget.select()
        }}
      />
      <button
        class="primary scripted"
        type="button"
        data-test={copyName}
        onClick={() => {
          void copy()
        }}
      >
        {isCopied ? `✓ ${messages.pix.copied}` : copyLabel}
      </button>
      <span class="unseen" role="status">
        {isCopied ? messages.pix.copied : ''}
      </span>
    </>
  )
}
