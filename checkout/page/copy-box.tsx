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
  /** Whether the text is for machines alone: then the button stands before it. */
  isCode?: boolean
  messages: Messages
}

/** A text that a payer takes elsewhere: shown whole, and copied exactly as it is. */
export function CopyBox({ name, copyName, label, copyLabel, rows, value, isCode, messages }: CopyBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const button = (
    <CopyButton
      name={copyName}
      label={copyLabel}
      value={value}
      messages={messages}
      onCopy={() => {
        box.current?.select()
      }}
    />
  )
  return (
    <>
      {isCode && button}
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
      {!isCode && button}
    </>
  )
}

interface CopyButtonProps {
  name: string
  label: string
  value: string
  messages: Messages
  /** Selects the text, which is copied by hand where the browser does not let us. */
  onCopy?: () => void
  isSmall?: boolean
}

/** Copies a text, and says that it has. */
export function CopyButton({ name, label, value, messages, onCopy, isSmall }: CopyButtonProps) {
  const [copied, setCopied] = useState<string>()
  const copy = async (): Promise<void> => {
    onCopy?.()
    try {
      await navigator.clipboard.writeText(value)
    } catch {
      // Plain http has no clipboard: what is selected can be copied by hand.
      document.execCommand('copy')
    }
    setCopied(value)
  }
  const isCopied = copied === value
  return (
    <>
      <button
        class={`${isSmall ? 'copy' : 'primary'} scripted`}
        type="button"
        data-test={name}
        onClick={() => {
          void copy()
        }}
      >
        {isCopied ? `✓ ${messages.pix.copied}` : label}
      </button>
      <span class="unseen" role="status">
        {isCopied ? messages.pix.copied : ''}
      </span>
    </>
  )
}
