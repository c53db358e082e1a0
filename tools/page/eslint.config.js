import js from '@eslint/js';
import globals from 'globals';

export default [
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      'eqeqeq': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-shadow': 'error',
      'no-implicit-globals': 'error',
      'no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      'object-shorthand': 'error',
      'no-restricted-syntax': ['error', {
        selector: 'AssignmentExpression > MemberExpression[property.name="innerHTML"]',
        message: 'Make elements with el(); a text never becomes HTML.',
      }],
    },
  },
];
