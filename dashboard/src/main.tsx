import './style-nonce.ts';
// In a CSS layer, so that all other styles override it in any order: the sheets of pages land before this one, in the head.
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
