SELECT iso();
