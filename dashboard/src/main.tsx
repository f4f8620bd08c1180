import './style-nonce.ts';
// In a layer, which all other styles override wherever they stand: those of pages are put before this sheet, into the head.
import '@mantine/core/styles.layer.css';
import './base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has an element #root');
document.getElementById('frame')?.remove();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
