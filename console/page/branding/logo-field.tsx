import { Button, Group, Input } from '@mantine/core'
import { useRef, useState, type ReactNode } from 'react'
import { useText } from '../messages/use-text.js'

/** The server refuses what is larger; a person is told before it is sent. */
const MAX_BYTES = 65_536

interface LogoFieldProps {
  /** A `data:` URL; null for none. */
  logo: string | null
  onChange: (logo: string | null) => void
}

/** A picture of the person's machine. */
export function LogoField({ logo, onChange }: LogoFieldProps): ReactNode {
  const t = useText()
  const [isTooLarge, setTooLarge] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const choose = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setTooLarge(file.size > MAX_BYTES)
    if (file.size <= MAX_BYTES) onChange(await dataUrlOf(file))
  }
  const remove = (): void => {
    if (field.current) field.current.value = ''
    setTooLarge(false)
    onChange(null)
  }
  return (
    <Input.Wrapper
      id="logo"
      label={t.branding.logo}
      description={t.branding.logoHint}
      error={isTooLarge && t.branding.logoTooLarge}
    >
      <Group mt={4}>
        <input
          ref={field}
          id="logo"
          type="file"
          className="file"
          accept="image/png,image/jpeg,image/webp"
          data-test="branding-logo"
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
        />
        {/* The browser's own button speaks the browser's language, not the page's. */}
        <label htmlFor="logo" className="file-button">
          {t.branding.chooseLogo}
        </label>
        {logo !== null && (
          <Button size="xs" variant="default" onClick={remove} data-test="remove-logo">
            {t.branding.removeLogo}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  )
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(new Error('the picture cannot be read')))
    reader.readAsDataURL(file)
  })
}
