import { isSandbox, styleNonce } from './nonce.js'
import './styles.js'
import { createTheme, MantineProvider } from '@mantine/core'
import { CatchBoundary } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { LanguageProvider } from './messages/use-text.js'
import { Failed } from './parts/failed.js'

const theme = createTheme({
  primaryColor: 'indigo',
  // Text in these colours keeps 4.5:1 to what is behind it, in both schemes.
  primaryShade: { light: 7, dark: 8 },
  cursorType: 'pointer',
})

const root = document.getElementById('root')
if (!root) throw new Error('the document has no place for the console')
createRoot(root).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
    <LanguageProvider>
      <CatchBoundary getResetKey={() => ''} errorComponent={Failed}>
        <App isSandbox={isSandbox} />
      </CatchBoundary>
    </LanguageProvider>
  </MantineProvider>,
)
