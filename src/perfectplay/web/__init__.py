"""The web application: games played, analysed and explained in a browser."""
